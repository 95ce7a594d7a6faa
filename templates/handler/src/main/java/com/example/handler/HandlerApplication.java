package com.example.handler;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class HandlerApplication {

	public static void main(String[] args) {
		SpringApplication.run(HandlerApplication.class, args);
	}

}
