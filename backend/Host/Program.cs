using NzbDav.Host.Commands;

return await NzbDavCommand.Create().Parse(args).InvokeAsync();
