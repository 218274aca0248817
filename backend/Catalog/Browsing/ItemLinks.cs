namespace NzbDav.Catalog.Browsing;

/// <summary>How libraries use an item; for a collection, all files below it together.</summary>
/// <param name="Given">When a link to it was last read, so that a library may have it; null: never.</param>
/// <param name="Holder">A link in a library that holds it; null: none does.</param>
/// <param name="Lost">Since when no library has it that had it; null while one does, or none ever did.</param>
/// <param name="Hidden">Since when it is not shown; null: it is shown.</param>
public sealed record ItemLinks(DateTimeOffset? Given, string? Holder, DateTimeOffset? Lost, DateTimeOffset? Hidden);
