namespace NzbDav.Host.Arrs;

/// <summary>The configured *arrs.</summary>
/// <param name="Arrs">Ordered by number.</param>
internal sealed record ArrList(IReadOnlyList<ArrRow> Arrs);
