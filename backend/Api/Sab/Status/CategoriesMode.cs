using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab.Status;

/// <summary><c>mode=get_cats</c> and <c>get_scripts</c>.</summary>
internal sealed class CategoriesMode(SabCategories categories) : ISabMode
{
    public IReadOnlyList<string> Names => ["get_cats", "get_scripts"];

    public ApiRights Needs(SabCall call) => ApiRights.Read;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) => call.Text("mode") == "get_scripts"
        ? new ScriptsAnswer(["None"])
        : new CategoriesAnswer(["*", .. await categories.ListAsync(cancellationToken)]);
}
