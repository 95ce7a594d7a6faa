package com.example.databaseschema;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import org.springframework.stereotype.Component;

/**
 * Creates and drops schemas, each with a user of the same name. It uses plain JDBC,
 * because the exceptions of a JdbcTemplate show the statement, and with it the password.
 */
@Component
class Database {

	private final DataSource dataSource;

	Database(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/** Creates the schema and the user, or sets the password of a user that exists. */
	void create(String name, String password) throws SQLException {
		// H2 leaves statements with this comment out of its messages.
		String literal = "'" + password.replace("'", "''") + "' --hide--";
		try (Connection connection = this.dataSource.getConnection()) {
			if (exists(connection, name)) {
				boolean h2 = connection.getMetaData().getDatabaseProductName().equals("H2");
				execute(connection, "ALTER USER \"" + name + (h2 ? "\" SET PASSWORD " : "\" PASSWORD ") + literal);
				return;
			}
			connection.setAutoCommit(false);
			execute(connection, "CREATE USER \"" + name + "\" PASSWORD " + literal);
			execute(connection, "CREATE SCHEMA \"" + name + "\" AUTHORIZATION \"" + name + "\"");
			connection.commit();
		}
	}

	/** Drops the schema with its tables and the user, as far as they exist. */
	void drop(String name) throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			execute(connection, "DROP SCHEMA IF EXISTS \"" + name + "\" CASCADE");
			execute(connection, "DROP USER IF EXISTS \"" + name + "\"");
		}
	}

	private static boolean exists(Connection connection, String name) throws SQLException {
		try (PreparedStatement query = connection
			.prepareStatement("SELECT 1 FROM information_schema.schemata WHERE schema_name = ?")) {
			query.setString(1, name);
			try (ResultSet result = query.executeQuery()) {
				return result.next();
			}
		}
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
