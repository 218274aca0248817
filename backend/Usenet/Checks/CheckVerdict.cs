namespace NzbDav.Usenet.Checks;

/// <summary>Result of a provider check.</summary>
/// <param name="Results">Step by step; those after the first that failed are left out.</param>
/// <param name="Connections">Connections that the account grants, those that this server has open included; null: not found out.</param>
/// <param name="RoundTrip">From a command to its answer, median; null: not found out.</param>
/// <param name="Rate">Bytes per second as received from the network; null: not measured.</param>
public sealed record CheckVerdict(IReadOnlyList<CheckResult> Results, int? Connections, TimeSpan? RoundTrip, double? Rate)
{
    /// <summary>No step found anything wrong.</summary>
    public bool Ok => Results.All(static result => result.Ok);
}
