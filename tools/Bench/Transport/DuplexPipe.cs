using System.IO.Pipelines;

namespace NzbDav.Bench.Transport;

/// <summary>One end of a connection.</summary>
internal sealed record DuplexPipe(PipeReader Input, PipeWriter Output) : IDuplexPipe;
