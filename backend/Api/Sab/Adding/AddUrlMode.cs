using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Adding;

/// <summary><c>mode=addurl</c>: an .nzb to fetch. Until it has arrived it is shown in the queue as Grabbing.</summary>
internal sealed class AddUrlMode(UrlGrabs grabs, SabIntake intake, JobStore jobs, TimeProvider time) : ISabMode
{
    public IReadOnlyList<string> Names => ["addurl", "addid"];

    public ApiRights Needs(SabCall call) => ApiRights.Add;

    public async ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("name") is not { } url)
            return ErrorAnswer.OneParameter;
        if (!Uri.TryCreate(url, UriKind.Absolute, out var address) || address.Scheme is not ("http" or "https"))
            return new ErrorAnswer("name is not an address that begins with http:// or https://");
        if (await intake.CategoryAsync(call, cancellationToken) is not { } category)
            return new ErrorAnswer($"'{call.Text("cat")}' is not a valid name for a category");
        var (priority, paused) = SabPriority.Of(call.Number("priority", -100));
        var grab = new UrlGrab
        {
            Id = jobs.NewId(),
            Url = url,
            Name = call.Text("nzbname") is { } title ? NzbIntake.TitleName(title) : $"Trying to fetch NZB from {address.Host}",
            NzbName = call.Text("nzbname"),
            Category = category,
            Priority = priority,
            Paused = paused,
            Password = call.Text("password"),
            Added = time.GetUtcNow(),
        };
        return new JobsAnswer([NzoId.Of(await grabs.AddAsync(grab, cancellationToken))]);
    }
}
