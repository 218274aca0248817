namespace NzbDav.Host.Settings.Texts;

public static partial class SettingTexts
{
    private static readonly SettingText[] OfPlayers =
    [
        new("WebDav:Username", Players, "User name", "The user of WebDAV, for players and mounts. Set it together with the password: without them WebDAV lets nobody in, but for the demo.") { Form = "text without `:`" },
        new("WebDav:Password", Players, "Password", "The password of WebDAV. It opens no settings, and changing it ends no session of the interface.") { Form = "text; not `change this`" },
        new("WebDav:MountPath", Players, "Mount path", "Where the tree's root is mounted for those who follow the links in completed-symlinks: what these links begin with.") { Form = "absolute path" },
        new("Strm:Categories", Players, "Categories with .strm files", "Categories whose files Sonarr and its kin find as .strm files with an address instead of links: for media servers without a mount. Subtitles and other small files stand beside them as they are.")
            { Form = Names },
        new("Strm:Url", Players, "Address in .strm files", "What those addresses begin with: where players reach this server, with its URL base, such as http://nas:8080.") { Form = "address" },
        new("WebDav:DeleteLinked", Players, "Delete what is linked", "WebDAV clients may delete in content what a library has, or may have, a link to. Else they are refused.") { IsAdvanced = true },
        new("WebDav:Scratch", Players, "Show scratch", "Shows /scratch, a folder on the server's disk that WebDAV clients may write to as they like.") { IsAdvanced = true },
        new("Rclone:Url", Players, "Remote control of rclone", "The rclone that mounts the tree's root (rclone mount --rc), such as http://rclone:5572: it is told of each new folder before the folder is said to be there.")
            { Form = "address", IsAdvanced = true },
        new("Rclone:Username", Players, "User of the remote control", "What rclone was given as --rc-user.") { IsAdvanced = true },
        new("Rclone:Password", Players, "Password of the remote control", "What rclone was given as --rc-pass.") { IsAdvanced = true },
    ];

    private static readonly SettingText[] OfLibrary =
    [
        new("Library:Folders", Library, "Library folders", "All folders in which libraries keep links to files here, as this server sees them, each mount by itself. Symbolic links and .strm files in them are read, never followed or changed.")
            { Form = "absolute paths, separated by commas" },
        new("Export:Strm", Library, "Folders of .strm files", "Folders on this server's disk that are kept in step with a category: a .strm file for each video and piece of music, such as movies=/library/movies. Files of others in them are never touched. It needs the address in .strm files.")
            { Form = "CATEGORY=/FOLDER, separated by commas" },
        new("Export:Symlinks", Library, "Folders of symbolic links", "The same with a symbolic link for each file, which leads into the mount path.") { Form = "CATEGORY=/FOLDER, separated by commas" },
        new("Export:Nfo", Library, "Details beside videos", "Puts an .nfo file beside each video in these folders: title and year, or season and episode, as far as the name tells them beyond doubt."),
        new("Library:HideAfterDays", Library, "Hide after", "Time after which a file that no library has any more disappears from the tree.") { Unit = "days", IsAdvanced = true },
        new("Library:DeleteAfterDays", Library, "Delete after", "Time that such a file is hidden before it is deleted.") { Unit = "days", IsAdvanced = true },
        new("Library:TrialDays", Library, "Trial", "Time after the first reading in which nothing is hidden or deleted, and the log says what would be.") { Unit = "days", IsAdvanced = true },
        new("Library:MostPercent", Library, "Most at once", "The largest share of all files that were ever linked which may be lost, hidden or deleted at once; five files always may. When it is more, nothing is done until you say that it is right.")
            { Unit = "%", IsAdvanced = true },
        new("Library:ReadMinutes", Library, "Reading interval", "Time between two readings of all folders and programs. Folders are also read soon after something changes in them, where the system tells.") { Unit = "minutes", IsAdvanced = true },
    ];

    private static readonly SettingText[] OfHealth =
    [
        new("Health:StatsPerDay", Health, "Questions a day", "How many articles the providers are asked for each day (STAT, which fetches nothing) to find posts that are no longer whole. It is behind everything else. With 0 nothing is checked. The page Health says how soon a post that is gone is found with it.")
            { Unit = "articles" },
        new("Health:Action", Health, "Without asking", "What is done about a post whose articles were missing on every provider twice, at least two days apart. Replacing needs Sonarr, Radarr or Lidarr: the old post is hidden once the replacement was imported and plays, and deleted 30 days later.")
            { Choices = [("check", "Only show it"), ("repair", "Repair it, or read it from another post of the same release"), ("replace", "Repair it, else have it replaced")] },
        new("Health:RemovalsPerDay", Health, "Removals a day", "How many replaced posts may be hidden in a day. When there are more, nothing is hidden until you agree on the page Health; with 0 you are asked each time.") { Unit = "posts" },
    ];
}
