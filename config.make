# NGINX's make has no flags of one module. These let no exception cross its C
# frames and keep the C++ runtime out of the library.
ngx_webhook_cc_flags="-std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics"

for ngx_webhook_src in $ngx_webhook_srcs; do
    case $ngx_webhook_src in
        *.cpp)
            ngx_webhook_obj=$(echo $ngx_webhook_src | sed "s,.*/\([^/]*/[^/]*\)\.cpp$,addon/\1.o,")
            echo "$NGX_OBJS/$ngx_webhook_obj: CFLAGS += $ngx_webhook_cc_flags" >> $NGX_MAKEFILE
            ;;
    esac
done
