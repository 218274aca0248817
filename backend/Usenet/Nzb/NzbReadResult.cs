using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Usenet.Nzb;

/// <summary>The outcome of reading an NZB: a document or an error, and what was odd.</summary>
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

    /// <summary>What was odd, in the order found; at most 100, then one that counts the rest.</summary>
    public IReadOnlyList<NzbWarning> Warnings { get; }
}
