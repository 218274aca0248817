using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab.Warnings;

/// <summary><c>mode=warnings</c>: lists or clears the latest warnings.</summary>
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
