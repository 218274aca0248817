using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Probing;

/// <summary>A fault of a parser.</summary>
/// <param name="Kind">What is wrong.</param>
/// <param name="Where">Tells two faults apart: the exception and the method that threw it; empty where that cannot be known.</param>
/// <param name="Story">For a person: the whole exception, or the two results.</param>
internal sealed record Finding(FindingKind Kind, string Where, string Story)
{
    /// <summary>Whether both are, as far as can be told, the same fault.</summary>
    public bool IsSameAs(Finding? other) => other is not null && Kind == other.Kind && string.Equals(Where, other.Where, StringComparison.Ordinal);
}
