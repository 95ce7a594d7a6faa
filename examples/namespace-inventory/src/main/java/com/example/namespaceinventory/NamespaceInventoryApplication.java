package com.example.namespaceinventory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

@SpringBootApplication
@EnableScheduling
public class NamespaceInventoryApplication {

	public static void main(String[] args) {
		SpringApplication.run(NamespaceInventoryApplication.class, args);
	}

}
