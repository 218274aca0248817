using System.CommandLine;
using NzbDav.Host.Commands;

return await NzbDavCommand.Create().Parse(args).InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = Launch.TerminationLimit });
