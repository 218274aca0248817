namespace NzbDav.Catalog.Jobs;

/// <summary>In which order jobs are listed.</summary>
public enum JobOrder
{
    /// <summary>As workers take them: priority, then age.</summary>
    Turn,

    /// <summary>Newest first: the history.</summary>
    NewestFirst,
}
