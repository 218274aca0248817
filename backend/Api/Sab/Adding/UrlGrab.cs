namespace NzbDav.Api.Sab.Adding;

/// <summary>An .nzb to be fetched from an address.</summary>
internal sealed record UrlGrab
{
    /// <summary>Id of the job that it becomes.</summary>
    public required long Id { get; init; }

    public required string Url { get; init; }

    /// <summary>Name for people; the address as long as the job has no name.</summary>
    public required string Name { get; init; }

    public required string Category { get; init; }

    public int Priority { get; init; }

    public bool Paused { get; init; }

    public string? Password { get; init; }

    public DateTimeOffset Added { get; init; }

    /// <summary>The job's name, if one was requested.</summary>
    public string? NzbName { get; init; }

    /// <summary>True if a person added it: then torrents are accepted too, and a second copy creates no second job.</summary>
    public bool ByPerson { get; init; }

    /// <summary>Without address and password, because this text goes to logs and the address may contain keys.</summary>
    public override string ToString() => $"{Id}: {Category}";
}
