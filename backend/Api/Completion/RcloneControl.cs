using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;

namespace NzbDav.Api.Completion;

/// <summary>
/// Calls of rclone's remote control. An rclone may serve several mounts; it then refuses calls that do not say which one they mean, so
/// each call is made for all.
/// </summary>
internal sealed class RcloneControl(HttpClient http, RcloneOptions options)
{
    /// <summary>Paths in one call; a season has fewer files.</summary>
    private const int MostPaths = 1_000;

    /// <summary>
    /// Makes the mounts forget paths: <c>dir</c> a folder with all below it, <c>file</c> the listing of the folder that a file is in, and
    /// nothing below.
    /// </summary>
    /// <returns>Null, or why no mount did.</returns>
    /// <exception cref="HttpRequestException">rclone cannot be reached.</exception>
    public async Task<string?> ForgetAsync(IReadOnlyList<string> mounts, IEnumerable<(string Kind, string Path)> paths,
        CancellationToken cancellationToken)
    {
        string? fault = null;
        foreach (var some in paths.Chunk(MostPaths))
        {
            var parameters = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var group in some.GroupBy(path => path.Kind, StringComparer.Ordinal))
            {
                // dir, dir2, dir3 …
                foreach (var (number, path) in group.Index())
                    parameters.Add(number == 0 ? group.Key : $"{group.Key}{number + 1}", path.Path);
            }

            fault ??= await CallEachAsync(mounts, "vfs/forget", parameters, cancellationToken);
        }

        return fault;
    }

    /// <summary>Makes the mounts read a folder with all below it.</summary>
    /// <inheritdoc cref="ForgetAsync"/>
    public Task<string?> RefreshAsync(IReadOnlyList<string> mounts, string folder, CancellationToken cancellationToken) => CallEachAsync(
        mounts, "vfs/refresh", new(StringComparer.Ordinal) { ["dir"] = folder, ["recursive"] = "true" }, cancellationToken);

    /// <summary>The names of the mounts, to be passed on; empty if there is just one, or if rclone does not report them.</summary>
    public async Task<IReadOnlyList<string>> ListAsync(CancellationToken cancellationToken)
    {
        // {"vfses": ["nzbdav:", "nzbdav:content"]}
        var (answer, _) = await CallAsync("vfs/list", [], cancellationToken);
        return answer is { } listed && listed.TryGetProperty("vfses", out var names) && names.ValueKind == JsonValueKind.Array
            && names.GetArrayLength() > 1
            ? [.. names.EnumerateArray().Select(name => name.ToString())]
            : [];
    }

    private async Task<string?> CallEachAsync(IReadOnlyList<string> mounts, string command, Dictionary<string, string> parameters,
        CancellationToken cancellationToken)
    {
        string? first = null;
        var succeeded = false;
        foreach (var mount in mounts.Count > 0 ? mounts : [""])
        {
            var sent = mount.Length > 0
                ? new Dictionary<string, string>(parameters, StringComparer.Ordinal) { ["fs"] = mount } : parameters;
            var (answer, fault) = await CallAsync(command, sent, cancellationToken);
            fault ??= FaultIn(answer);
            succeeded |= fault is null;
            first ??= fault;
        }

        // A mount of something else does not know the folder.
        return succeeded ? null : first;
    }

    /// <summary>
    /// What went wrong although the answer is 200: <c>{"result": {"completed-symlinks/tv/Show": "file does not exist"}}</c>.
    /// </summary>
    private static string? FaultIn(JsonElement? answer)
    {
        if (answer is not { ValueKind: JsonValueKind.Object } body || !body.TryGetProperty("result", out var result)
            || result.ValueKind != JsonValueKind.Object)
            return null;
        foreach (var folder in result.EnumerateObject())
        {
            if (folder.Value.ToString() is { Length: > 0 } text and not "OK")
                return $"{folder.Name}: {text}";
        }

        return null;
    }

    private async Task<(JsonElement? Answer, string? Fault)> CallAsync(string command, Dictionary<string, string> parameters,
        CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri($"{options.Url.AbsoluteUri.TrimEnd('/')}/{command}"))
        {
            Content = JsonContent.Create(parameters),
        };
        if (options.Username is not null)
            request.Headers.Authorization = new AuthenticationHeaderValue("Basic",
                Convert.ToBase64String(Encoding.UTF8.GetBytes($"{options.Username}:{options.Password}")));
        using var response = await http.SendAsync(request, cancellationToken);
        var answer = await ReadAsync(response, cancellationToken);
        if (response.IsSuccessStatusCode)
            return (answer, null);
        var reason = answer is { ValueKind: JsonValueKind.Object } body && body.TryGetProperty("error", out var error)
            ? error.ToString()
            : response.ReasonPhrase;
        return (null, $"{command} was answered with {(int)response.StatusCode}: {reason}");
    }

    private static async Task<JsonElement?> ReadAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        try
        {
            using var document = JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync(cancellationToken));
            return document.RootElement.Clone();
        }
        catch (JsonException)
        {
            // Another program than rclone answers there, or a proxy before it; the status decides.
            return null;
        }
    }
}

/// <summary>The remote control of the rclone that mounts the tree's root (<c>rclone mount --rc</c>).</summary>
/// <param name="Url">Address of the remote control, such as <c>http://rclone:5572</c>.</param>
/// <param name="Username">The user of <c>--rc-user</c>; null with <c>--rc-no-auth</c>.</param>
/// <param name="Password">The password of <c>--rc-pass</c>.</param>
public sealed record RcloneOptions(Uri Url, string? Username, string? Password);
