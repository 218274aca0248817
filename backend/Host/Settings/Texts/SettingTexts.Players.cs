namespace NzbDav.Host.Settings.Texts;

public static partial class SettingTexts
{
    private static readonly SettingText[] OfPlayers =
    [
        new("WebDav:Username", Players, "User name",
            "The user name for players and mounts. Set it together with the password. Without them WebDAV refuses all requests, except " +
            "in the demo.") { Form = "text without `:`" },
        new("WebDav:Password", Players, "Password",
            "The password for players and mounts. It opens no settings, and changing it ends no session of the page.")
            { Form = "text, at least 10 characters; not `change this`" },
        new("WebDav:MountPath", Players, "Mount path",
            "The path at which the tree's root is mounted. The links in completed-symlinks begin with it. By default the mount folder, " +
            "if there is one.") { Form = "absolute path" },
        new("Mount:Path", Players, "Mount folder",
            "An empty folder in which this server shows the tree as a file system, without rclone. Needs Linux, and /dev/fuse in a " +
            "container.") { Form = "absolute path" },
        new("Mount:Socket", Players, "Socket of the mount helper",
            "The socket of a program that mounts for this server (nzbdav mount-helper), so that the server needs no rights of its own. " +
            "The mount folder then says where programs see the tree.") { IsAdvanced = true, Form = "absolute path" },
        new("Mount:AllowOther", Players, "Mount for all users",
            "Lets all users of the machine use the mount. Where the server does not run as root, that needs the line user_allow_other " +
            "in /etc/fuse.conf. With a helper, the helper decides.") { IsAdvanced = true },
        new("Mount:User", Players, "Owner in the mount",
            "The number of the user who owns everything in the mount. By default the server's.") { IsAdvanced = true, Form = "number" },
        new("Mount:Group", Players, "Group in the mount",
            "The number of the group that owns everything in it. By default the server's.") { IsAdvanced = true, Form = "number" },
        new("Strm:Categories", Players, "Categories with .strm files",
            "Categories for which Sonarr and the others get .strm files with an address instead of links, for media servers without a " +
            "mount. Subtitles and other small files appear beside them as they are.")
            { Form = Names },
        new("Strm:Url", Players, "Address in .strm files",
            "The beginning of those addresses: how players reach this server, with its URL base, such as http://nas:8080.")
            { Form = "address" },
        new("WebDav:DeleteLinked", Players, "Delete what is linked", "Lets WebDAV clients delete files in content that a library has, or " +
            "may have, a link to. Otherwise they are refused.") { IsAdvanced = true },
        new("WebDav:Scratch", Players, "Show scratch", "Shows /scratch, a folder on the server's disk that WebDAV clients can write to.")
            { IsAdvanced = true },
        new("Rclone:Url", Players, "Remote control of rclone",
            "The address of the rclone that mounts the tree's root (rclone mount --rc), such as http://rclone:5572. NzbDav tells it " +
            "about each new folder before it reports a download as complete.")
            { Form = "address", IsAdvanced = true },
        new("Rclone:Username", Players, "User of the remote control", "The value of rclone's --rc-user.") { IsAdvanced = true },
        new("Rclone:Password", Players, "Password of the remote control", "The value of rclone's --rc-pass.") { IsAdvanced = true },
    ];

    private static readonly SettingText[] OfLibrary =
    [
        new("Library:Folders", Library, "Library folders",
            "All folders in which libraries keep links to files here, as this server sees them. Name each mount. NzbDav reads symbolic " +
            "links and .strm files in them, and never follows or changes them.")
            { Form = "absolute paths, separated by commas" },
        new("Export:Strm", Library, "Folders of .strm files",
            "Folders on this server's disk that are kept in step with a category: a .strm file for each video and piece of music, such " +
            "as movies=/library/movies. Files of others in them are never touched. It needs the address in .strm files.")
            { Form = "CATEGORY=/FOLDER, separated by commas" },
        new("Export:Symlinks", Library, "Folders of symbolic links",
            "The same with a symbolic link for each file, which leads into the mount path.")
            { Form = "CATEGORY=/FOLDER, separated by commas" },
        new("Export:Nfo", Library, "Details beside videos",
            "Puts an .nfo file beside each video in these folders: title and year, or season and episode, as far as the name tells them " +
            "beyond doubt."),
        new("Library:HideAfterDays", Library, "Hide after", "How long until a file that no library uses any more disappears from the tree.")
            { Unit = "days", IsAdvanced = true },
        new("Library:DeleteAfterDays", Library, "Delete after", "How long such a file stays hidden before it is deleted.")
            { Unit = "days", IsAdvanced = true },
        new("Library:TrialDays", Library, "Trial period",
            "For this time after the first reading nothing is hidden or deleted; the log says what would be.")
            {
                Unit = "days",
                IsAdvanced = true,
            },
        new("Library:MostPercent", Library, "Most at once",
            "The largest share of all files that were ever linked that may be lost, hidden or deleted at once. Five files are always " +
            "allowed. When it is more, nothing happens until you confirm it.")
            { Unit = "%", IsAdvanced = true },
        new("Library:ReadMinutes", Library, "Reading interval",
            "How often all folders and programs are read. Folders are also read soon after a change in them, where the system reports " +
            "it.") { Unit = "minutes", IsAdvanced = true },
    ];

    private static readonly SettingText[] OfHealth =
    [
        new("Health:StatsPerDay", Health, "Checks a day",
            "How many articles are checked each day (by STAT, which fetches nothing) to find posts that are no longer whole. Checks wait " +
            "for everything else. 0 checks nothing. The page Health shows how soon a lost post is found.")
            { Unit = "articles" },
        new("Health:Action", Health, "Automatic action",
            "What to do about a post whose articles were missing on every provider twice, at least two days apart. Replacing needs " +
            "Sonarr, Radarr or Lidarr. The old post is hidden when the replacement is imported and plays, and deleted 30 days later.")
            {
                Choices = [("check", "Only show it"), ("repair", "Repair it, or read it from another post of the same release"),
                ("replace", "Repair it, else have it replaced")],
            },
        new("Health:RemovalsPerDay", Health, "Removals a day",
            "How many replaced posts may be hidden in a day. When there are more, nothing is hidden until you agree on the page Health. " +
            "With 0 you are asked each time.") { Unit = "posts" },
    ];
}
