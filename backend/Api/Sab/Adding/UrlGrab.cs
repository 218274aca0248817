namespace NzbDav.Api.Sab;

/// <summary>An .nzb that is to be fetched from an address.</summary>
internal sealed record UrlGrab
{
    /// <summary>Of the job that it becomes.</summary>
    public required long Id { get; init; }

    public required string Url { get; init; }

    /// <summary>For people; the address as long as the job has no name.</summary>
    public required string Name { get; init; }

    public required string Category { get; init; }

    public int Priority { get; init; }

    public bool Paused { get; init; }

    public string? Password { get; init; }

    public DateTimeOffset Added { get; init; }

    /// <summary>The job's name, if one was asked for.</summary>
    public string? NzbName { get; init; }

    /// <summary>A person has brought it: a torrent is taken too, and what is there already makes no second job.</summary>
    public bool ByPerson { get; init; }

    /// <summary>Without address and password, which hold keys: this is for logs.</summary>
    public override string ToString() => $"{Id}: {Category}";
}
