package com.example.configrestart;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ConfigRestartApplication {

	public static void main(String[] args) {
		SpringApplication.run(ConfigRestartApplication.class, args);
	}

}
