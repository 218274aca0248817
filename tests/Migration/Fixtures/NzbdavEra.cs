namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>Versions of the schema of nzbdav's family.</summary>
public enum NzbdavEra
{
    /// <summary>2025-07: rows for layouts, .nzb text in the queue.</summary>
    First,

    /// <summary>0.4: rows for files in several posted files.</summary>
    Multipart,

    /// <summary>0.5: .nzb text of the queue in a table of its own.</summary>
    QueueTexts,

    /// <summary>0.6: layouts in blobs, .nzb files kept.</summary>
    Blobs,

    /// <summary>InfiniDysk of 2026-09.</summary>
    Infinidysk,
}
