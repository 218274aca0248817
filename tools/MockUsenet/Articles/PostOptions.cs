namespace NzbDav.MockUsenet.Articles;

/// <summary>How a file is split into articles and posted.</summary>
public sealed record PostOptions
{
    /// <summary>Decoded bytes of each article except the last. Default 716,800, the most common size.</summary>
    public int ArticleSize { get; init; } = 716_800;

    /// <summary>Decoded bytes by article index (from 0), for posts with irregular parts; the last part gets the rest. Overrides
    /// <see cref="ArticleSize"/>.</summary>
    public Func<int, int>? PartSize { get; init; }

    /// <summary>Irregularities by article index (from 0).</summary>
    public Func<int, ArticleShape>? Shape { get; init; }

    /// <summary>True: subject and yEnc header contain seeded random names. Only <see cref="PostedFile.Name"/> is the true one.</summary>
    public bool Obfuscated { get; init; }

    /// <summary>
    /// The number of parts and the size of the whole file that the =ybegin line claims, by article index; by default the truth.
    /// </summary>
    public Func<int, (int Total, long Size)>? Claim { get; init; }

    /// <summary>Changes the =ybegin and =ypart lines of an article, given by its index (from 0); each ends with CR LF.</summary>
    public Func<int, string, string>? Header { get; init; }

    /// <summary>The name in the =ybegin line, by article index; overrides <see cref="Obfuscated"/>.</summary>
    public Func<int, string>? YencName { get; init; }

    /// <summary>The subject, by article index; overrides <see cref="Obfuscated"/>.</summary>
    public Func<int, string>? Subject { get; init; }

    /// <summary>The message-id without angle brackets, by article index; by default derived from the store's seed.</summary>
    public Func<int, string>? MessageId { get; init; }

    /// <summary>The From header and the NZB's poster.</summary>
    public string Poster { get; init; } = "Mock Poster <poster@mock.invalid>";

    /// <summary>Newsgroups.</summary>
    public IReadOnlyList<string> Groups { get; init; } = ["alt.binaries.test", "alt.binaries.mock"];

    /// <summary>Date of the post. Fixed by default, so that every run is the same.</summary>
    public DateTimeOffset Date { get; init; } = new(2024, 1, 15, 12, 0, 0, TimeSpan.Zero);
}

/// <summary>An irregularity of an article as it was posted. What a provider does to an article is a <c>Fault</c>.</summary>
[Flags]
public enum ArticleShape
{
    /// <summary>None.</summary>
    Regular = 0,

    /// <summary>The =yend line has size and part but no CRC.</summary>
    NoTrailingCrc = 1,

    /// <summary>Plain text instead of yEnc.</summary>
    NotYenc = 2,

    /// <summary>The =ybegin line has a wrong file size.</summary>
    WrongFileSize = 4,

    /// <summary>The bytes as uuencode.</summary>
    Uuencode = 8,

    /// <summary>The bytes as base64, in a MIME part.</summary>
    Base64 = 16,
}
