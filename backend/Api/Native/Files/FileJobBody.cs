namespace NzbDav.Api.Native.Files;


/// <summary>The job that published a file.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Name">Its name.</param>
internal sealed record FileJobBody(string Id, string Name);
