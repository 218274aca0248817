using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Probing;

/// <summary>A fault of a parser.</summary>
/// <param name="Kind">What is wrong.</param>
/// <param name="Where">Distinguishes faults: the exception and the method that threw it; empty if that is not known.</param>
/// <param name="Story">Text for people: the whole exception, or the two results.</param>
internal sealed record Finding(FindingKind Kind, string Where, string Story)
{
    /// <summary>Whether both are the same fault, as far as that can be determined.</summary>
    public bool IsSameAs(Finding? other) => other is not null && Kind == other.Kind && string.Equals(Where, other.Where, StringComparison.Ordinal);
}
