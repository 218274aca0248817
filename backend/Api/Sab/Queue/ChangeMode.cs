using NzbDav.Catalog;

namespace NzbDav.Api.Sab;

/// <summary><c>mode=change_cat</c>, and what is accepted without effect as it has none here: scripts and unpacking.</summary>
internal sealed class ChangeMode(JobStore jobs, SabCategories categories) : ISabMode
{
    public IReadOnlyList<string> Names => ["change_cat", "change_script", "change_opts"];

    public ApiRights Needs(SabCall call) => ApiRights.Change;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (await call.IdsAsync("value", jobs, cancellationToken) is not { } ids || call.Text("value2") is not { } wanted)
            return ErrorAnswer.TwoParameters;
        if (call.Text("mode") != "change_cat")
            return new StatusAnswer(true);
        if (await categories.ChooseAsync(wanted, cancellationToken) is not { } category)
            return new ErrorAnswer($"'{wanted}' cannot be the name of a category");
        var changed = false;
        foreach (var id in ids)
            changed |= await jobs.SetCategoryAsync(id, category, cancellationToken);
        return new StatusAnswer(changed);
    }
}
