using System.CommandLine;
using NzbDav.Host.Commands;

return await NzbDavCommand.For(args).Parse(args).InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = Launch.TerminationLimit });
