using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Locks;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Xml;

namespace NzbDav.WebDav.Methods;

/// <summary>
/// PROPPATCH: all instructions or none (RFC 4918 §9.2). Where no properties are stored each one is refused separately: Explorer and
/// Cyberduck would take a plain 403 for a failure of their previous action, such as a copy.
/// </summary>
internal sealed class PropPatchHandler(WriteGuard guard, IDeadProperties? properties) : IMethodHandler
{
    // Explorer sets these after each upload: Win32CreationTime, Win32LastModifiedTime, Win32FileAttributes …
    private const string Microsoft = "urn:schemas-microsoft-com:";

    public string Method => "PROPPATCH";

    public async Task HandleAsync(WebDavRequest request)
    {
        var http = request.Http;
        var item = request.IsJunk ? null : await request.FindAsync();
        if (item is null)
        {
            Reply.RefuseBody(http);
            await request.NotFoundAsync();
            return;
        }

        if (await XmlBody.ReadAsync(http.Request, request.Aborted) is not { } xml)
        {
            await WriteReply.RefuseAsync(http, StatusCodes.Status413PayloadTooLarge, "The body is larger than 1 MiB.");
            return;
        }

        if (PropertyUpdateBody.TryParse(xml) is not { } changes)
        {
            await Reply.TextAsync(http, StatusCodes.Status400BadRequest, "The body is not a valid propertyupdate element.");
            return;
        }

        if (Preconditions.Evaluate(http.Request.Headers, isRead: false, item.ETag, item.ModifiedAt) != PreconditionOutcome.Proceed)
        {
            await WriteReply.RefuseAsync(
                http, StatusCodes.Status412PreconditionFailed, "The item is not in the state that the request expects.");
            return;
        }

        if (!await guard.AdmitAsync(request, new WriteTarget(request.Path)))
            return;
        await AnswerAsync(request, item, changes);
    }

    private async Task AnswerAsync(WebDavRequest request, IStoreItem item, IReadOnlyList<PropertyChange> changes)
    {
        var keeps = item.Keeping == StoreKeeping.Everything && properties is not null;
        var takesTimes = keeps || item.Keeping == StoreKeeping.Uploads;
        var refused = changes
            .Where(change => PropertyCatalog.Find(change.Name) is not null
                || (!keeps && !(takesTimes && change.Name.Namespace == Microsoft)))
            .Select(change => change.Name).ToHashSet();
        var noRoom = refused.Count == 0 && keeps && !await properties!.WriteAsync(request.Path, changes, request.Aborted);
        var names = changes.Select(change => change.Name).Distinct().ToList();
        var xml = new StringBuilder($"<D:multistatus {PropertyCatalog.Declarations}><D:response><D:href>")
            .Append(request.HrefOf(request.Path, item.IsCollection)).Append("</D:href>");
        if (refused.Count == 0)
        {
            AppendPropStat(xml, names, noRoom ? "507 Insufficient Storage" : "200 OK");
        }
        else
        {
            // "403: The client has attempted to set a protected property"; "424: … because of a failed dependency on another part of the
            // request".
            AppendPropStat(xml, names.Where(refused.Contains), "403 Forbidden", "<D:error><D:cannot-modify-protected-property/></D:error>");
            AppendPropStat(xml, names.Where(name => !refused.Contains(name)), "424 Failed Dependency");
        }

        await Reply.XmlAsync(request.Http, StatusCodes.Status207MultiStatus, xml.Append("</D:response></D:multistatus>").ToString());
    }

    private static void AppendPropStat(StringBuilder xml, IEnumerable<PropertyName> names, string status, string error = "")
    {
        var props = new StringBuilder();
        foreach (var name in names)
            PropertyPlan.AppendEmpty(props, name);
        if (props.Length > 0)
            xml.Append("<D:propstat><D:prop>").Append(props).Append("</D:prop><D:status>HTTP/1.1 ").Append(status).Append("</D:status>")
                .Append(error).Append("</D:propstat>");
    }
}
