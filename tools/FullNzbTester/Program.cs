using NzbDav.FullNzbTester;

return await ProbeCommand.Create().Parse(args).InvokeAsync();
