using System.Text;
using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>
/// Runs before every write: evaluates the If header (412) and requires the tokens of conflicting locks (423). Costs nothing without
/// locks and If headers. Thread-safe.
/// </summary>
internal sealed class WriteGuard(LockTable locks)
{
    /// <summary>Decides whether the request may continue; if not, responds to it.</summary>
    /// <returns>True if the request may continue.</returns>
    public async ValueTask<bool> AdmitAsync(WebDavRequest request, params WriteTarget[] targets)
    {
        var http = request.Http;
        var values = http.Request.Headers["If"];
        if (values.Count == 0 && locks.IsEmpty)
            return true;
        IfHeader? header = null;
        if (values.Count > 0)
        {
            header = IfHeader.TryParse(string.Join(' ', values!));
            if (header is null)
            {
                await WriteReply.RefuseAsync(http, StatusCodes.Status400BadRequest, "The If header is malformed.");
                return false;
            }

            if (!await HoldsAsync(request, header))
            {
                await WriteReply.RefuseAsync(http, StatusCodes.Status412PreconditionFailed, "What the If header expects is not so.");
                return false;
            }
        }

        if (locks.IsEmpty)
            return true;
        var missing = new List<DavLock>();
        foreach (var target in targets)
            CollectMissing(target, header, missing);
        if (missing.Count == 0)
            return true;
        await RefuseAsync(request, "lock-token-submitted", missing);
        return false;
    }

    /// <summary>Responds with 423 and the roots of the conflicting locks (RFC 4918 §16).</summary>
    public static Task RefuseAsync(WebDavRequest request, string condition, IEnumerable<DavLock> locks)
    {
        var body = new StringBuilder("<D:").Append(condition).Append('>');
        foreach (var root in locks.Select(held => (held.Root, held.IsCollection)).Distinct())
            body.Append("<D:href>").Append(request.HrefOf(root.Root, root.IsCollection)).Append("</D:href>");
        body.Append("</D:").Append(condition).Append('>');
        Reply.RefuseBody(request.Http);
        return Reply.ErrorAsync(request.Http, StatusCodes.Status423Locked, body.ToString());
    }

    // "the header is evaluated to true if any of its lists is; a list is true if all its conditions are"
    private async ValueTask<bool> HoldsAsync(WebDavRequest request, IfHeader header)
    {
        foreach (var list in header.Lists)
        {
            // A resource elsewhere is unknown: it has neither a tag nor locks.
            var path = list.Resource is null ? request.Path : ResourceUri.TryParse(request, list.Resource, out _);
            if (path is not null && list.Resource is not null)
                path = await path.ComposedAsync(request.Store, request.Aborted);
            var tag = path is not null && list.Conditions.Any(condition => condition.ETag is not null)
                ? (await request.Store.GetItemAsync(path, request.Aborted))?.ETag
                : null;
            var held = path is null ? [] : locks.Covering(path);
            if (list.Conditions.All(condition => condition.Not != (condition.Token is { } token
                ? held.Exists(one => one.Token == token)
                : tag is not null && EntityTags.Matches(condition.ETag, tag, weak: false))))
                return true;
        }

        return false;
    }

    private void CollectMissing(WriteTarget target, IfHeader? header, List<DavLock> missing)
    {
        // Several locks on one item are shared ones: any of their tokens is enough.
        Demand(locks.Covering(target.Path));
        if (target.IsMember && !target.Path.IsRoot)
            Demand(locks.Covering(target.Path.Parent));
        if (target.IsTree)
        {
            foreach (var group in locks.Below(target.Path).GroupBy(held => held.Root))
                Demand([.. group]);
        }

        void Demand(List<DavLock> held)
        {
            if (held.Count > 0 && (header is null || !held.Exists(one => header.Submits(one.Token))))
                missing.AddRange(held);
        }
    }
}

/// <summary>An item that a request changes.</summary>
/// <param name="Path">Its path.</param>
/// <param name="IsMember">True if it is created or removed, which changes its parent's list of members too.</param>
/// <param name="IsTree">True if everything below it changes too.</param>
internal readonly record struct WriteTarget(StorePath Path, bool IsMember = false, bool IsTree = false);
