namespace NzbDav.Catalog.Jobs;

/// <summary>How many jobs there are of each <see cref="JobStanding"/>.</summary>
public sealed record JobStandings(int Queued, int Waiting, int Paused, int Running, int Completed, int Failed)
{
    /// <summary>Those that have not ended.</summary>
    public int InQueue => Queued + Waiting + Paused + Running;

    /// <summary>How many stand there; null: anywhere.</summary>
    public int Of(IReadOnlyCollection<JobStanding>? standings) => standings is null
        ? InQueue + Completed + Failed
        : standings.Distinct().Sum(standing => standing switch
        {
            JobStanding.Queued => Queued,
            JobStanding.Waiting => Waiting,
            JobStanding.Paused => Paused,
            JobStanding.Running => Running,
            JobStanding.Completed => Completed,
            _ => Failed,
        });
}
