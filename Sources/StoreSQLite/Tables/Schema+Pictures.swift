import GRDB

extension Schema {
    /// The columns of users that "addPictureToUser" added. `picture` is a `PictureKey`, `NULL` without a picture, or 0
    /// for a person who objects to it. A photo of the publisher's own does not depend on `avatarURL`.
    static let pictureColumns = [
        "picture INTEGER CHECK (picture >= 0)",
        "hasOwnPicture INTEGER NOT NULL DEFAULT 0 CHECK (hasOwnPicture IN (0, 1))",
    ]

    /// Creates the index by which the people with a picture are found: whether anybody else has it, and how many have
    /// any.
    static func pictureIndex(_ directory: Int64) -> String {
        "CREATE INDEX user\(directory)Picture ON user\(directory) (picture) WHERE picture > 0"
    }

    static func addPictureToUser(_ db: Database) throws {
        try db.execute(
            sql: """
                -- The secret of the keys of pictures and of the hashes of their addresses.
                ALTER TABLE database ADD COLUMN pictureKey BLOB NOT NULL DEFAULT x'';
                UPDATE database SET pictureKey = randomblob(16);
                -- The people who object to their picture: see PictureObjections.
                CREATE TABLE pictureObjection (
                    hash INTEGER NOT NULL,
                    id INTEGER NOT NULL,
                    PRIMARY KEY (hash, id)
                ) WITHOUT ROWID, STRICT;
                """)
        for directory in try Int64.fetchAll(db, sql: "SELECT id FROM directory") {
            for column in pictureColumns {
                try db.execute(
                    sql: """
                        ALTER TABLE user\(directory) ADD COLUMN \(column);
                        ALTER TABLE userHidden\(directory) ADD COLUMN \(column);
                        """)
            }
            try db.execute(sql: pictureIndex(directory))
        }
    }
}
