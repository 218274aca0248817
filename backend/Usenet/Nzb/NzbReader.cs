using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Usenet.Nzb;

/// <summary>
/// Reads NZB files (the newzbin format, https://sabnzbd.org/wiki/extra/nzb-spec) as they occur in practice. Reads whatever can be
/// understood. Damage is reported as a value with a message for the user. Only predefined entities are expanded, and nothing is fetched.
/// </summary>
public static class NzbReader
{
    /// <summary>
    /// Reads one document. Blocks on the stream, so pass a file or memory, not a network stream. Needs about 24 bytes plus the length of
    /// the message-id per segment, but never memory for the whole text. Reads up to the first byte after the root element that is not white
    /// space.
    /// </summary>
    /// <param name="stream">Read from its current position; not disposed.</param>
    /// <param name="options">Bounds; null for the defaults.</param>
    /// <param name="cancellationToken">Checked every 64 KiB.</param>
    /// <returns>A document or an error. The result depends only on the bytes, not on how the stream divides them.</returns>
    /// <exception cref="IOException">The stream failed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
    public static NzbReadResult Read(Stream stream, NzbReaderOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        options ??= NzbReaderOptions.Default;
        return new NzbParser(new NzbInput(stream, options.MaxBytes, cancellationToken), options).Run();
    }
}

/// <summary>Limits against hostile or broken input. The defaults are far above anything seen in practice.</summary>
public sealed record NzbReaderOptions
{
    /// <summary>The defaults.</summary>
    public static NzbReaderOptions Default { get; } = new();

    /// <summary>Longest input in bytes, before decoding. Default 512 MiB; a post of 500 GB takes about 80 MB.</summary>
    public long MaxBytes { get; init; } = 512L << 20;

    /// <summary>Most files. Default 250,000.</summary>
    public int MaxFiles { get; init; } = 250_000;

    /// <summary>Most segments in all files. Default 5,000,000, about 3.5 TB at 700 KB each.</summary>
    public int MaxSegments { get; init; } = 5_000_000;
}

/// <summary>The outcome of reading an NZB: a document or an error, with warnings.</summary>
public sealed class NzbReadResult
{
    internal NzbReadResult(NzbDocument? document, NzbError? error, IReadOnlyList<NzbWarning> warnings)
    {
        Document = document;
        Error = error;
        Warnings = warnings;
    }

    /// <summary>True if there is a document, false if there is an error.</summary>
    [MemberNotNullWhen(true, nameof(Document))]
    [MemberNotNullWhen(false, nameof(Error))]
    public bool Succeeded => Document is not null;

    /// <summary>The document; null if the NZB cannot be used.</summary>
    public NzbDocument? Document { get; }

    /// <summary>Why the NZB cannot be used; null if it can.</summary>
    public NzbError? Error { get; }

    /// <summary>Irregularities in the order found: at most 100, then one warning with the number of the others.</summary>
    public IReadOnlyList<NzbWarning> Warnings { get; }
}

/// <summary>Why and where an NZB cannot be used.</summary>
/// <param name="Kind">The kind, so that callers need not read the message.</param>
/// <param name="Line">From 1.</param>
/// <param name="Column">In characters, from 1.</param>
/// <param name="Message">A sentence for the person who added the NZB.</param>
public sealed record NzbError(NzbErrorKind Kind, int Line, int Column, string Message)
{
    /// <inheritdoc/>
    public override string ToString() => $"Line {Line}, column {Column}: {Message}";
}

/// <summary>Why an NZB cannot be used.</summary>
public enum NzbErrorKind
{
    /// <summary>No XML element anywhere: an archive, a torrent, plain text, or nothing.</summary>
    NotXml,

    /// <summary>XML or HTML, but without an <c>nzb</c> element: for instance an error page of an indexer.</summary>
    NoRoot,

    /// <summary>The <c>nzb</c> element is never closed: part of the file is missing.</summary>
    Truncated,

    /// <summary>There is no <c>file</c> element.</summary>
    NoFiles,

    /// <summary>There are files, but none has a segment that could be fetched.</summary>
    NoSegments,

    /// <summary>A limit of <see cref="NzbReaderOptions"/> or of the parser was exceeded.</summary>
    LimitExceeded,
}

/// <summary>An irregularity in an NZB that can still be used.</summary>
/// <param name="Line">From 1.</param>
/// <param name="Column">In characters, from 1.</param>
/// <param name="Message">A sentence for the person who added the NZB.</param>
public readonly record struct NzbWarning(int Line, int Column, string Message)
{
    /// <inheritdoc/>
    public override string ToString() => $"Line {Line}, column {Column}: {Message}";
}

/// <summary>Collects warnings, at most as many as a person reads.</summary>
internal sealed class NzbWarnings
{
    private const int Most = 100;

    private readonly List<NzbWarning> _list = [];
    private int _more;

    public void Add((int Line, int Column) where, string message)
    {
        if (_list.Count < Most)
            _list.Add(new NzbWarning(where.Line, where.Column, message));
        else
            _more++;
    }

    public IReadOnlyList<NzbWarning> ToList() =>
        _more == 0 ? _list : [.. _list, new NzbWarning(1, 1, $"{_more} more warnings are not listed.")];
}
