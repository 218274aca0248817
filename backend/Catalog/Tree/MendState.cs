namespace NzbDav.Catalog;

/// <summary>How a repair stands.</summary>
public enum MendState
{
    /// <summary>What was gone is there now: reading the same place again may succeed.</summary>
    Mended,

    /// <summary>The repair goes on.</summary>
    UnderWay,

    /// <summary>It brought nothing, or there is nothing to repair with.</summary>
    Failed,
}
