namespace NzbDav.Torrents.WebSeeds;

/// <summary>What a fault of a web seed means for its further use.</summary>
internal enum WebSeedBlame
{
    /// <summary>It may pass: the seed is asked again after a pause.</summary>
    Passing,

    /// <summary>It does not have one of the files: the rest may still come from it.</summary>
    MissingFile,

    /// <summary>It cannot serve this torrent: it is not asked again.</summary>
    Final,
}

/// <summary>Why a web seed was left.</summary>
/// <param name="Blame">What that means.</param>
/// <param name="Reason">For the user: a sentence without its end.</param>
internal sealed record WebSeedFault(WebSeedBlame Blame, string Reason)
{
    /// <summary>How long the server asks not to be asked; null = it does not say.</summary>
    public TimeSpan? RetryIn { get; init; }

    /// <summary>Index of the file that it does not have.</summary>
    public int File { get; init; } = -1;
}
