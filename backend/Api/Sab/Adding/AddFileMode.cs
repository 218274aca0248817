using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Database;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Adding;

/// <summary>
/// <c>mode=addfile</c>: an upload, in a part called <c>name</c> or <c>nzbfile</c>; <c>addlocalfile</c>: a file of this machine.
/// </summary>
internal sealed class AddFileMode(SabIntake intake) : ISabMode
{
    public IReadOnlyList<string> Names => ["addfile", "addlocalfile"];

    /// <summary>Access to files of this machine needs more than the right to add jobs.</summary>
    public ApiRights Needs(SabCall call) => call.Text("mode") == "addlocalfile" ? ApiRights.Full : ApiRights.Add;

    public ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken) =>
        call.Text("mode") == "addlocalfile" ? AddLocalAsync(call, cancellationToken) : AddUploadAsync(call, cancellationToken);

    private async ValueTask<object> AddUploadAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.File is not { } file || file.Content is { Length: 0, IsTooLarge: false })
            return ErrorAnswer.NoFile;
        return Answer(await intake.AddAsync(file.Name, file.Content, call, cancellationToken));
    }

    private async ValueTask<object> AddLocalAsync(SabCall call, CancellationToken cancellationToken)
    {
        if (call.Text("name") is not { } path)
            return ErrorAnswer.OneParameter;
        try
        {
            await using var local = File.OpenRead(path);
            await using var file = await intake.ReceiveAsync(local, cancellationToken);
            return Answer(await intake.AddAsync(path, file, call, cancellationToken));
        }
        catch (Exception e) when (e is IOException and not CatalogException or UnauthorizedAccessException or ArgumentException)
        {
            return new ErrorAnswer(e.Message);
        }
    }

    /// <summary>
    /// An invalid NZB is answered as received, but without an id: that tells the *arrs that the release is bad. Any other answer would tell
    /// them that this server is broken.
    /// </summary>
    private static JobsAnswer Answer(IntakeResult taken) => new([.. taken.Jobs.Select(job => NzoId.Of(job.Id))]);
}
