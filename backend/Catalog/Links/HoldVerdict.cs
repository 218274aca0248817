namespace NzbDav.Catalog.Links;

/// <summary>Whether a library has a link to an item.</summary>
/// <param name="Holder">The link to it or to a file below it; null: none is known.</param>
/// <param name="IsUncertain">Its link was read, and no later reading shows whether a library has it.</param>
public readonly record struct HoldVerdict(string? Holder, bool IsUncertain)
{
    /// <summary>True when no library can have a link to it.</summary>
    public bool IsFree => Holder is null && !IsUncertain;
}
