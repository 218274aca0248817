using System.IO.Pipelines;

namespace NzbDav.Bench;

/// <summary>One end of a connection.</summary>
internal sealed record DuplexPipe(PipeReader Input, PipeWriter Output) : IDuplexPipe;
