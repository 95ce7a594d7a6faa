package com.example.secretmirror;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class SecretMirrorApplication {

	public static void main(String[] args) {
		SpringApplication.run(SecretMirrorApplication.class, args);
	}

}
