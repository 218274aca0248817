namespace NzbDav.Api.Sab;

/// <summary><c>mode=warnings</c>: the latest, and away with them.</summary>
internal sealed class WarningsMode(WarningLog log) : ISabMode
{
    public IReadOnlyList<string> Names => ["warnings"];

    public ApiRights Needs(SabCall call) => call.Text("name") == "clear" ? ApiRights.Full : ApiRights.Read;

    public ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("name") == "clear")
        {
            log.Clear();
            return new(new StatusAnswer(true));
        }

        return new(new WarningsAnswer([.. log.Latest.Select(warning => new WarningSlot(warning.Text, warning.Type, warning.At.ToUnixTimeSeconds(), ""))]));
    }
}
