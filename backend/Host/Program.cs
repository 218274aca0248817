using System.CommandLine;
using NzbDav.Host.Commands;
using NzbDav.Host.Serving;

NativeHeap.TuneAllocator();
FileModes.Restrict();
return await NzbDavCommand.For(args).Parse(args)
    .InvokeAsync(new InvocationConfiguration { ProcessTerminationTimeout = Launch.TerminationLimit });
