namespace NzbDav.Host.Arrs;

/// <summary>The *arrs that are configured.</summary>
/// <param name="Arrs">By number.</param>
internal sealed record ArrList(IReadOnlyList<ArrRow> Arrs);
