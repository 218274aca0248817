using NzbDav.Host.Commands;

return await NzbDavCommand.For(args).Parse(args).InvokeAsync();
