namespace NzbDav.Conformance.Tests.Stubs;

/// <summary>A small tree: <c>/films/film.mkv</c> of 1234 bytes and <c>/films/extras/deep.mkv</c>.</summary>
internal sealed class FilmStore
{
    public FilmStore()
    {
        Folder = Store.Root.Add(new StubCollection("films"));
        Film = Folder.Add(new StubFile("film.mkv", new StubContent(1234)));
        Folder.Add(new StubCollection("extras")).Add(new StubFile("deep.mkv", new StubContent(1)));
    }

    public StubStore Store { get; } = new();

    public StubCollection Folder { get; }

    public StubFile Film { get; }
}
