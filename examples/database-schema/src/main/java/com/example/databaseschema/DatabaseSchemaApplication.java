package com.example.databaseschema;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class DatabaseSchemaApplication {

	public static void main(String[] args) {
		SpringApplication.run(DatabaseSchemaApplication.class, args);
	}

}
