using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Access.Options;
using NzbDav.Api.Native;
using NzbDav.Api.Native.Events;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Users;
using NzbDav.Fakes;
using NzbDav.Import.Progress;
using NzbDav.Library.Holding;

namespace NzbDav.Api.Tests.Native;

/// <summary>
/// The native API over a catalog in a temporary folder, with the full key. No import runs: a test puts jobs into the states that it needs.
/// </summary>
internal sealed class NativeFixture(SabFixture sab) : IAsyncDisposable
{
    public SabFixture Sab => sab;

    public HttpClient Http => sab.Http;

    public ManualTimeProvider Time => sab.Time;

    /// <param name="change">Changes the usual options.</param>
    /// <param name="add">Adds services, with the folder of the catalog.</param>
    public static async Task<NativeFixture> OpenAsync(
        Func<SabOptions, SabOptions>? change = null, Action<IServiceCollection, string>? add = null)
    {
        var sab = await SabFixture.OpenAsync(
            folder: null,
            options => change?.Invoke(options) ?? options with { PrivateHosts = ["127.0.0.1"] },
            (services, database, folder) =>
            {
                services.AddSingleton<ImportEvents>().AddSingleton(new UserStore(database)).AddSingleton(new SessionStore(database))
                    .AddSingleton(new AddonKeys(database))
                    .AddSingleton(new LiveAccess(new AccessOptions()));
                services.AddAccess(Path.Combine(folder, "keys"));
                services.AddSingleton<UnwantedDeleter>().AddSingleton(new Live<KeepingOptions>(new KeepingOptions()));
                services.AddSingleton<Func<IReadOnlyList<ILibrarySource>>>(static () => []);
                services.AddSingleton<Func<CancellationToken, ValueTask<IReadOnlySet<string>>>>(static _ => new(new HashSet<string>()));
                services.AddSingleton<LibraryKeeper>();
                services.AddNative();
                add?.Invoke(services, folder);

                // Removes the topics of parts that are missing here: providers, a torrent engine, a host.
                services.RemoveAll<IEventTopic>();
                services.AddSingleton<IEventTopic, JobsTopic>().AddSingleton<IEventTopic, FilesTopic>()
                    .AddSingleton<IEventTopic, QueueTopic>();
            },
            app =>
            {
                app.UseAccess();
                app.MapNative();
            });
        sab.Http.DefaultRequestHeaders.Add("X-Api-Key", SabFixture.Key);
        return new NativeFixture(sab);
    }

    public T Get<T>()
        where T : notnull => sab.Get<T>();

    public async Task<JsonElement> GetAsync(string path, HttpStatusCode status = HttpStatusCode.OK)
    {
        using var response = await Http.GetAsync("/api/v1" + path);
        return await ReadAsync(response, status);
    }

    public async Task<JsonElement> SendAsync(HttpMethod method, string path, object body, HttpStatusCode status = HttpStatusCode.OK)
    {
        using var request = new HttpRequestMessage(method, "/api/v1" + path) { Content = JsonContent.Create(body) };
        using var response = await Http.SendAsync(request);
        return await ReadAsync(response, status);
    }

    public async Task<JsonElement> UploadAsync(IEnumerable<(string Name, byte[] Bytes)> files,
        IEnumerable<(string Name, string Value)> fields, HttpStatusCode status = HttpStatusCode.OK)
    {
        using var form = new MultipartFormDataContent();
        foreach (var (name, bytes) in files)
            form.Add(new ByteArrayContent(bytes), "file", name);
        foreach (var (name, value) in fields)
            form.Add(new StringContent(value), name);
        using var response = await Http.PostAsync("/api/v1/jobs", form);
        return await ReadAsync(response, status);
    }

    public Task<JsonElement> ActAsync(object action, HttpStatusCode status = HttpStatusCode.OK) =>
        SendAsync(HttpMethod.Post, "/jobs/actions", action, status);

    /// <summary>Names of the jobs in the list.</summary>
    public async Task<string[]> NamesAsync(string query = "") =>
        [.. (await GetAsync("/jobs" + query)).GetProperty("items").EnumerateArray().Select(job => job.GetProperty("name").GetString()!)];

    public ValueTask DisposeAsync() => sab.DisposeAsync();

    private static async Task<JsonElement> ReadAsync(HttpResponseMessage response, HttpStatusCode status)
    {
        var text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == status, $"{(int)response.StatusCode}: {text}");
        return JsonDocument.Parse(text).RootElement;
    }
}
