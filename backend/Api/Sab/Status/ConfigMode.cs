using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Api.Sab.Traffic;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.Sab.Status;

/// <summary><c>mode=get_config</c>: the configuration that clients check before they accept a server; <c>section</c> and <c>keyword</c>
/// select a part of it.</summary>
internal sealed class ConfigMode(Live<SabOptions> options, SabCategories categories, ISabTraffic traffic) : ISabMode
{
    public IReadOnlyList<string> Names => ["get_config"];

    public ApiRights Needs(SabCall call) => ApiRights.Read;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        var sections = new Dictionary<string, object>(StringComparer.Ordinal)
        {
            ["misc"] = Misc(),
            ["categories"] = await CategoriesAsync(cancellationToken),
            ["servers"] = traffic.Servers.Select(Server).ToList(),
            ["sorters"] = Array.Empty<object>(),
        };
        if (call.Text("section") is not { } section)
            return new ConfigAnswer(sections);
        if (!sections.TryGetValue(section, out var one))
            return ErrorAnswer.NotImplemented;
        if (call.Text("keyword") is { } keyword)
            one = Part(one, keyword);
        return new ConfigAnswer(new Dictionary<string, object>(StringComparer.Ordinal) { [section] = one });
    }

    private static object Part(object section, string keyword) => section switch
    {
        Dictionary<string, object> values => values.Where(value => value.Key == keyword).ToDictionary(StringComparer.Ordinal),
        List<Dictionary<string, object>> list => list.Where(item => (string)item["name"] == keyword).ToList(),
        _ => section,
    };

    private Dictionary<string, object> Misc() => new(StringComparer.Ordinal)
    {
        ["complete_dir"] = options.Value.CompletedPath,
        ["download_dir"] = options.Value.MountPath,
        ["tv_categories"] = Array.Empty<string>(),
        ["movie_categories"] = Array.Empty<string>(),
        ["date_categories"] = Array.Empty<string>(),
        ["enable_tv_sorting"] = false,
        ["enable_movie_sorting"] = false,
        ["enable_date_sorting"] = false,
        ["pre_check"] = false,
        ["history_retention"] = "0",
        ["history_retention_option"] = "all",
        ["history_retention_number"] = 1,
        ["no_dupes"] = 0,
        ["safe_postproc"] = true,
        ["script_can_fail"] = false,
    };

    private async Task<List<Dictionary<string, object>>> CategoriesAsync(CancellationToken cancellationToken)
    {
        var all = new List<Dictionary<string, object>> { Category("*", 0, "", 0) };
        foreach (var name in await categories.ListAsync(cancellationToken))
            all.Add(Category(name, all.Count, name, -100));
        return all;
    }

    private static Dictionary<string, object> Category(string name, int order, string folder, int priority) => new(StringComparer.Ordinal)
    {
        ["name"] = name,
        ["order"] = order,
        ["pp"] = "3",
        ["script"] = "None",
        ["dir"] = folder,
        ["newzbin"] = "",
        ["priority"] = priority,
    };

    /// <summary>Without user and password: they are only in the settings.</summary>
    private static Dictionary<string, object> Server(ServerTraffic server) => new(StringComparer.Ordinal)
    {
        ["name"] = server.Name,
        ["displayname"] = server.Name,
        ["host"] = server.Host,
        ["connections"] = server.MaxConnections,
        ["priority"] = server.Priority,
        ["enable"] = 1,
    };
}

/// <summary><c>mode=get_cats</c> and <c>get_scripts</c>.</summary>
internal sealed class CategoriesMode(SabCategories categories) : ISabMode
{
    public IReadOnlyList<string> Names => ["get_cats", "get_scripts"];

    public ApiRights Needs(SabCall call) => ApiRights.Read;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) => call.Text("mode") == "get_scripts"
        ? new ScriptsAnswer(["None"])
        : new CategoriesAnswer(["*", .. await categories.ListAsync(cancellationToken)]);
}
