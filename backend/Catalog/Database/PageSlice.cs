namespace NzbDav.Catalog.Database;

/// <summary>How one page of a sorted list is read. A page in the second half is read from the end, to avoid reading the rows before it.</summary>
/// <param name="Skip">Rows before the first one that is read, in the direction of reading.</param>
/// <param name="Take">Rows that are read; 0: the page lies behind the end.</param>
/// <param name="IsBackwards">The query must use the reverse order.</param>
internal readonly record struct PageSlice(int Skip, int Take, bool IsBackwards)
{
    /// <summary>The slice of a page.</summary>
    /// <param name="offset">Rows before it, from 0.</param>
    /// <param name="limit">Rows of a full page.</param>
    /// <param name="total">Rows of the list.</param>
    public static PageSlice Of(int offset, int limit, int total)
    {
        var take = Math.Clamp(total - offset, 0, limit);
        return offset > total / 2 ? new PageSlice(Math.Max(0, total - offset - take), take, IsBackwards: true) : new PageSlice(offset, take, IsBackwards: false);
    }

    /// <summary>The ids in the list's order. Reverses the given list in place if needed.</summary>
    public List<long> InOrder(List<long> ids)
    {
        if (IsBackwards)
            ids.Reverse();
        return ids;
    }
}
