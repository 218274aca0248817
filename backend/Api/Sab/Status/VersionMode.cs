using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab.Status;

/// <summary><c>mode=version</c> and <c>auth</c>, which clients call before they have a key.</summary>
internal sealed class VersionMode : ISabMode
{
    public IReadOnlyList<string> Names => ["version", "auth"];

    public ApiRights Needs(SabCall call) => ApiRights.None;

    public ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) => new(
        call.Text("mode") == "version"
            ? new VersionAnswer(SabOptions.Version)
            : new AuthAnswer(call.Key is null || call.Rights.HasFlag(ApiRights.Change) ? "apikey" : call.Rights == ApiRights.None ? "badkey" : "nzbkey"));
}
