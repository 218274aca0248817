namespace NzbDav.Arr.Resources;

/// <summary>One page of a list.</summary>
/// <typeparam name="T">Its rows' type.</typeparam>
internal sealed record ArrPage<T>
{
    public int Page { get; init; }

    public int PageSize { get; init; }

    public int TotalRecords { get; init; }

    public IReadOnlyList<T> Records { get; init; } = [];
}
