namespace NzbDav.Api.Sab;

/// <summary><c>mode=version</c> and <c>auth</c>: what clients ask before they have a key.</summary>
internal sealed class VersionMode : ISabMode
{
    public IReadOnlyList<string> Names => ["version", "auth"];

    public ApiRights Needs(SabCall call) => ApiRights.None;

    public ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) => new(
        call.Text("mode") == "version"
            ? new VersionAnswer(SabOptions.Version)
            : new AuthAnswer(call.Key is null || call.Rights.HasFlag(ApiRights.Change) ? "apikey" : call.Rights == ApiRights.None ? "badkey" : "nzbkey"));
}
