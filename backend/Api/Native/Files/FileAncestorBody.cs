namespace NzbDav.Api.Native.Files;


/// <summary>A collection above another one.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
internal sealed record FileAncestorBody(string Id, string Name);
